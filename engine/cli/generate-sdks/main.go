// Command generate-sdks writes the SDKs of a package for Node.js, Python and Go, as `pulumi package gen-sdk` does:
//
//	generate-sdks schema.json folder
//
// Under a name such as pulumi-language-python, it is the host of this language for `pulumi package add`.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Each language's generator: file names to texts. The first argument is named at the head of each generated file.
var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage("pulumi-language-nodejs", pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage("pulumi-language-python", pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage("pulumi-language-go", pkg, nil)
	},
}

func main() {
	language, isHost := strings.CutPrefix(filepath.Base(os.Args[0]), "pulumi-language-")
	run := func() error { return generate(os.Args[1:]) }
	if isHost {
		run = func() error { return serve(language) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: generate-sdks schema.json folder")
	}
	for language, generator := range generators {
		// A generator changes the package, so each gets its own.
		pkg, err := readPackage(args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		files, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := replaceFolder(filepath.Join(args[1], language), files); err != nil {
			return err
		}
	}
	return nil
}

func readPackage(file string) (*schema.Package, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return bind(text)
}

func bind(text io.Reader) (*schema.Package, error) {
	decoder := json.NewDecoder(text)
	decoder.DisallowUnknownFields()
	var spec schema.PackageSpec
	if err := decoder.Decode(&spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	return pkg, errors.Join(diagnostics.Errs()...)
}

func replaceFolder(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
