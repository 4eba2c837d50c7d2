"""The program at the keyboard: one file a command, wired in `commands`."""
