"""What is asked of the system around the program: time, the way out, signals to stop, the installed version."""
