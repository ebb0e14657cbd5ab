"""The data folder itself: paths, locks, markers, free space, rights."""
