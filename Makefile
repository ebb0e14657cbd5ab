# A thin call of make.py, which needs nothing but Python. On Windows: py -3 make.py run
# Arguments go through ARGS: make run ARGS="run --model offline/rules 'Two days in Kyoto'"
PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: run test soak bundle packages lock texts screenshots docs coverage clean help

run test soak bundle packages lock texts screenshots docs coverage clean help:
	@$(PYTHON) make.py $@ $(ARGS)
