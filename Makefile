# SPDX-License-Identifier: Apache-2.0
#
# What a user types. `make` alone lists the commands; README.md explains them. Commands and their options are declared in tools/nhg/options.py; what
# stands behind `make` is handed on as it is.

ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
ifneq ($(words $(ROOT)),1)
$(error the path of the checkout, $(CURDIR), has a space, which make cannot handle: choose another place)
endif

NAMES := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
INHERITED := $(foreach name,$(.VARIABLES),$(if $(filter environment,$(origin $(name))),$(name)))
COMMANDS := $(or $(MAKECMDGOALS),help)

.NOTPARALLEL:
.PHONY: $(COMMANDS)
$(COMMANDS):
	@python3 -I -X utf8 '$(ROOT)/tools/start.py' $@ '$(COMMANDS)' '$(INHERITED)' $(foreach name,$(NAMES),'$(name)=$(subst ','\'',$($(name)))')
