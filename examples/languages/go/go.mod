module go-example

go 1.25

require (
	example.com/pulumi-user-groups/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.250.0
)

replace example.com/pulumi-user-groups/sdk/go => ./sdks/user-groups
