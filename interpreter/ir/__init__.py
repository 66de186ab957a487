"""The intermediate representation: nodes, text form, verifier, linker, layout."""
