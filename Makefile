# The two that matter: `make run` starts Beckon, `make test` passes the tests of a change.
# Both install what is missing first.

, := ,
# Where Windows has no WebView2, the window leads to Microsoft's page, and downloads nothing.
TAGS    := desktop,production,webkit2_41$(if $(filter Windows_NT,$(OS)),$(,)wv2runtime.browser)
# The same commit gives the same bytes, wherever and whenever it is built.
GO      := go build -trimpath -buildvcs=false
LDFLAGS := -s -w -buildid= $(shell build/version.sh ldflags)
# A program at a random address whose tables are read-only, as distributions want it.
RELRO   := -extldflags=-Wl$(,)-z$(,)relro$(,)-z$(,)now
GO_SRC  := $(shell find . -name '*.go' -not -path './frontend/node_modules/*' -not -path './build/bin/*')
PAGE    := $(shell find frontend -type f -not -path 'frontend/node_modules/*' -not -path 'frontend/dist/*')
EMBEDS  := $(shell find backend -type f -not -name '*.go' -not -path '*/testdata/*')

# On Linux the window is a program of its own: nothing else loads WebKit.
WINDOW  := $(if $(filter Linux,$(shell uname -s)),build/bin/beckon-window)

.PHONY: run dev test test-all flaky guards check bench soak cluster build package package-test lint generate setup clean always

run:
	@build/run.sh

# test is what each change passes; README and CONTRIBUTING say what it holds.
test:
	@build/test.sh

# test-all is every test there is, nightly and before a release.
test-all:
	@build/test.sh all

# flaky passes the smoke over and over while the machine is busy, and says what failed.
flaky:
	@build/flaky.sh

# guards takes guards out one by one, and says which tier of the tests notices.
guards:
	@build/guards.sh

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

# cluster is no part of the tests: it builds Kubernetes' API server first.
cluster:
	@build/cluster.sh

build: build/bin/beckon $(WINDOW)

# package makes the packages of this system in build/out.
package: build
	@build/package.sh

# package-test makes them, a second time in a clone, compares the two, and installs the
# .deb in a fresh Debian 12 and 13. It needs the network and root.
package-test: package
	@build/package-test.sh
	@build/install-test.sh

lint:
	@build/lint.sh && npm --prefix frontend run lint

# generate makes the page's types again from the bound methods.
generate:
	@build/generate.sh

setup:
	@build/setup.sh run

build/bin/beckon: $(GO_SRC) $(EMBEDS) go.mod go.sum frontend/dist/index.html build/bin/version
	$(if $(WINDOW),CGO_ENABLED=0 $(GO),$(GO) -tags $(TAGS)) -ldflags "$(LDFLAGS)" -o $@ .

build/bin/beckon-window: build/bin/beckon
	$(GO) -buildmode=pie -tags $(TAGS) -ldflags "$(LDFLAGS) $(RELRO)" -o $@ .

# Another commit is another version, which the program says and its packages are of.
build/bin/version: always
	@mkdir -p $(@D) && echo '$(LDFLAGS)' | cmp -s - $@ || echo '$(LDFLAGS)' >$@

frontend/dist/index.html: $(PAGE) frontend/node_modules/.package-lock.json
	npm --prefix frontend run build
	@touch $@

frontend/node_modules/.package-lock.json: frontend/package-lock.json
	npm --prefix frontend ci --no-audit --no-fund

clean:
	rm -rf build/bin build/out frontend/dist/assets frontend/dist/index.html
