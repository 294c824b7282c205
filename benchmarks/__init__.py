"""What the program costs, as ratios taken in one run: a benchmark is a file of `measures/`, a peer a file of `peers/`."""
