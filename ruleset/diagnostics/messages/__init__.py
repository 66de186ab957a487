"""The wording of every diagnostic, one module a stage, one function a message."""
