//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
