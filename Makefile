# The two that matter: `make run` starts Beckon, `make test` passes the tests.
# Both install what is missing first.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TAGS    := desktop,production,webkit2_41
GO_SRC  := $(shell find . -name '*.go' -not -path './frontend/node_modules/*' -not -path './build/bin/*')
PAGE    := $(shell find frontend -type f -not -path 'frontend/node_modules/*' -not -path 'frontend/dist/*')
EMBEDS  := $(shell find backend -type f -not -name '*.go' -not -path '*/testdata/*')

# On Linux what needs no window is a program of its own, without WebKit.
CORE    := $(if $(filter Linux,$(shell uname -s)),build/bin/beckon-core)

.PHONY: run dev test check bench soak build lint generate setup clean

run: setup build
	@build/run.sh

test:
	@build/test.sh

# dev serves the page from its sources on the real back end.
dev: setup frontend/node_modules/.package-lock.json
	@build/dev.sh $(ARGS)

# check is for between two commits.
check: frontend/node_modules/.package-lock.json
	@build/check.sh

bench: setup build
	@build/bench.sh

soak: setup build
	@build/soak.sh

build: build/bin/beckon $(CORE)

lint:
	@build/lint.sh

# generate makes the page's types again from the bound methods.
generate:
	@build/generate.sh

setup:
	@build/setup.sh run

build/bin/beckon: $(GO_SRC) $(EMBEDS) go.mod go.sum frontend/dist/index.html
	go build -trimpath -tags $(TAGS) -ldflags "-s -w -X main.version=$(VERSION)" -o $@ .

build/bin/beckon-core: build/bin/beckon
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o $@ .

frontend/dist/index.html: $(PAGE) frontend/node_modules/.package-lock.json
	npm --prefix frontend run build
	@touch $@

frontend/node_modules/.package-lock.json: frontend/package-lock.json
	npm --prefix frontend ci --no-audit --no-fund

clean:
	rm -rf build/bin frontend/dist/assets frontend/dist/index.html
