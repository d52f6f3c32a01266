//! What the screens know and do: model, actions, `update`, keymap and effects. No frame, no disk, no clock.
