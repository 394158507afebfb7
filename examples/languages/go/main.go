// User groups of two customers.
package main

import (
	"example.com/pulumi-user-groups/sdk/go/usergroups"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		acme, err := usergroups.NewUserGroup(ctx, "acme", &usergroups.UserGroupArgs{
			UserGroupId: pulumi.String("acme"),
			Name:        pulumi.String("Acme"),
			Mapping:     pulumi.Map{"sales": pulumi.String("acme-data")},
		})
		if err != nil {
			return err
		}
		globex, err := usergroups.NewUserGroup(ctx, "globex", &usergroups.UserGroupArgs{
			UserGroupId: pulumi.String("globex"),
			Name:        pulumi.String("Globex"),
			Overlap:     pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("tokens", pulumi.StringMap{"acme": acme.Token, "globex": globex.Token})
		return nil
	})
}
