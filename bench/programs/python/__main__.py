"""All tenants in one resource of the plugin."""

import json

import pulumi_user_groups as user_groups

with open("tenants.json", encoding="utf-8") as file:
    user_groups.UserGroups("tenants", groups=json.load(file))
