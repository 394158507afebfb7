# One resource for each tenant, in the fastest form.
locals {
  tenants = [for id, tenant in jsondecode(file("${path.module}/tenants.json")) : merge({ user_group_id = id }, tenant)]
}

resource "restapi_object" "user_group" {
  count        = length(local.tenants)
  path         = "/api/user"
  data         = jsonencode(local.tenants[count.index])
  read_path    = "/api/user"
  read_data    = jsonencode(local.tenants[count.index])
  destroy_path = "/api/user"
  # The token lies in this resource's own response, which destroy_data can't refer to.
  destroy_data = jsonencode({ user_group_id = local.tenants[count.index].user_group_id })
}
