// Winres writes the resources of Beckon's programs for Windows, which the linker takes
// up: the icon, the version, and the manifest.
//
//	winres VERSION NUMBERS ICON.ico PICTURES.png... >rsrc_windows_amd64.syso
//
// NUMBERS is the version as Windows has it, 1.2.3.4. The icon is written besides, for
// the installer.
package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"

	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"
)

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: winres VERSION NUMBERS ICON.ico PICTURES.png...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "winres:", err)
		os.Exit(1)
	}
}

func run(name, numbers, ico string, pictures []string) error {
	images := make([]image.Image, 0, len(pictures))
	for _, path := range pictures {
		picture, err := read(path)
		if err != nil {
			return err
		}
		images = append(images, picture)
	}
	icon, err := winres.NewIconFromImages(images)
	if err != nil {
		return err
	}
	if err := save(icon, ico); err != nil {
		return err
	}
	info, err := described(name, numbers)
	if err != nil {
		return err
	}
	set := winres.ResourceSet{}
	set.SetVersionInfo(info)
	set.SetManifest(winres.AppManifest{
		Description: "Beckon", ExecutionLevel: winres.AsInvoker, DPIAwareness: winres.DPIPerMonitorV2,
		Compatibility: winres.Win10AndAbove, LongPathAware: true, UseCommonControlsV6: true,
	})
	// Wails shows the icon of this number in the window's title.
	return errors.Join(set.SetIcon(winres.ID(3), icon), set.WriteObject(os.Stdout, winres.ArchAMD64))
}

func read(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func save(icon *winres.Icon, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(icon.SaveICO(f), f.Close())
}

// described is what Explorer shows of the programs.
func described(name, numbers string) (version.Info, error) {
	info := version.Info{}
	info.SetFileVersion(numbers)
	info.SetProductVersion(numbers)
	for key, text := range map[string]string{
		version.ProductName: "Beckon", version.FileDescription: "Beckon", version.ProductVersion: name,
		version.FileVersion: name, version.LegalCopyright: "The Beckon authors. MIT licence.",
	} {
		if err := info.Set(version.LangDefault, key, text); err != nil {
			return info, err
		}
	}
	return info, nil
}
