//! c-program ─ **c-lower** ─> IR
