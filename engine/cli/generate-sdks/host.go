package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The part of a language host that `pulumi package add` needs. Pulumi's current hosts aren't Go modules, and the older ones that are
// don't generate SDKs.
type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	language string
}

func serve(language string) error {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, &host{language: language})
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

func (h *host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "0.0.0"}, nil
}

func (h *host) GeneratePackage(_ context.Context, request *pulumirpc.GeneratePackageRequest) (*pulumirpc.GeneratePackageResponse, error) {
	pkg, err := bind(strings.NewReader(request.Schema))
	if err != nil {
		return nil, err
	}
	files, err := generators[h.language](pkg)
	if err != nil {
		return nil, err
	}
	return &pulumirpc.GeneratePackageResponse{}, replaceFolder(request.Directory, files)
}

func (h *host) Link(context.Context, *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	return &pulumirpc.LinkResponse{ImportInstructions: "Generated for " + h.language}, nil
}

// InstallDependencies installs none: the caller adds the SDK to the program.
func (h *host) InstallDependencies(*pulumirpc.InstallDependenciesRequest, pulumirpc.LanguageRuntime_InstallDependenciesServer) error {
	return nil
}
