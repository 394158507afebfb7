"""User groups of two customers."""

import pulumi
import pulumi_user_groups as user_groups

acme = user_groups.UserGroup(
    "acme",
    user_group_id="acme",
    name="Acme Corporation",
    properties={"region": "eu"},
)
others = user_groups.UserGroups(
    "others",
    groups={"globex": {"name": "Globex", "mapping": {"sales": "globex-warehouse"}}},
    deletion_limit=10,
)
pulumi.export("tokens", {"acme": acme.token, "globex": others.tokens["globex"]})
