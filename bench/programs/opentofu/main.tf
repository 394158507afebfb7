# One resource for each tenant, in the form that people write.
locals {
  tenants = jsondecode(file("${path.module}/tenants.json"))
}

resource "restapi_object" "user_group" {
  for_each     = local.tenants
  path         = "/api/user"
  data         = jsonencode({ user_group_id = each.key, name = each.value.name })
  read_path    = "/api/user"
  read_data    = jsonencode({ user_group_id = each.key, name = each.value.name })
  destroy_path = "/api/user"
  # The token lies in this resource's own answer, which destroy_data can't refer to.
  destroy_data = jsonencode({ user_group_id = each.key })
}
