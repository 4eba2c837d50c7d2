"""The version of the program, which packaging reads from here too: asking the installed package takes longer."""

VERSION = "1.0.0"
