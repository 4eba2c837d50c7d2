"""The version of the program, which packaging reads from here too: asking the installed package takes longer."""

VERSION = "0.1.0"
