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
			Name:        pulumi.String("Acme Corporation"),
			Properties:  pulumi.Map{"region": pulumi.String("eu")},
		})
		if err != nil {
			return err
		}
		others, err := usergroups.NewUserGroups(ctx, "others", &usergroups.UserGroupsArgs{
			Groups: usergroups.GroupMap{
				"globex": usergroups.GroupArgs{
					Name:    pulumi.String("Globex"),
					Mapping: pulumi.Map{"sales": pulumi.String("globex-warehouse")},
				},
			},
			DeletionLimit: pulumi.Int(10),
		})
		if err != nil {
			return err
		}
		ctx.Export("tokens", pulumi.StringMap{
			"acme":   acme.Token,
			"globex": others.Tokens.MapIndex(pulumi.String("globex")),
		})
		return nil
	})
}
