//! The model as a picture. Reads the model, changes nothing.
