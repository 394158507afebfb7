"""User groups of two customers."""

import pulumi
import pulumi_user_groups as user_groups

acme = user_groups.UserGroup("acme", user_group_id="acme", name="Acme", mapping={"sales": "acme-data"})
globex = user_groups.UserGroup("globex", user_group_id="globex", name="Globex", overlap=True)

pulumi.export("tokens", {"acme": acme.token, "globex": globex.token})
