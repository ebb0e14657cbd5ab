"""What stands behind `make.py`: environment, checks, bundle, lock.

Comes in: make.py, and the tests of these modules. Imports the standard library only and nothing of the application,
because it runs before anything is installed. Keeps to the language of Python 3.7 (see make.py).
"""
