// Sbom writes what Beckon is made of: the Go modules that are linked into a program, the
// packages that its page is bundled from, and the page's fonts.
//
//	sbom VERSION PROGRAM SOURCES OUT
//
// SOURCES is the checkout that PROGRAM was built in. OUT gets sbom.cdx.json (CycloneDX)
// and third-party-notices.txt, the licences with all who have them. What has none, or
// one that Beckon does not take, fails by its name. Neither file has a time or a number of
// its own, so that the same commit gives the same bytes.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: sbom VERSION PROGRAM SOURCES OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(version, program, sources, out string) error {
	parts, err := linked(program, sources)
	if err != nil {
		return err
	}
	page, err := bundled(filepath.Join(sources, "frontend"))
	if err != nil {
		return err
	}
	parts = append(parts, page...)
	if err := judge(parts); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "third-party-notices.txt"), notices(parts), 0o644); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(describe(version, parts), cdx.SpecVersion1_5); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "sbom.cdx.json"), text.Bytes(), 0o644)
}

func describe(version string, parts []part) *cdx.BOM {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "beckon", Type: cdx.ComponentTypeApplication, Name: "beckon", Version: version,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}},
	}}
	components := make([]cdx.Component, len(parts))
	for i, p := range parts {
		url := "pkg:" + p.kind + "/" + strings.ReplaceAll(p.name, "@", "%40")
		if p.version != "" {
			url += "@" + strings.ReplaceAll(p.version, "+", "%2B")
		}
		var licenses cdx.Licenses
		for _, id := range p.licenses() {
			one := cdx.License{ID: id}
			if id == publicDomain {
				one = cdx.License{Name: id}
			}
			licenses = append(licenses, cdx.LicenseChoice{License: &one})
		}
		components[i] = cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: p.name, Version: p.version, PackageURL: url, Licenses: &licenses}
	}
	bom.Components = &components
	return bom
}
