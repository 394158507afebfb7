# (e) One resource for each tenant, by the REST provider that a user of OpenTofu would pick.
terraform {
  required_providers {
    restapi = {
      source = "Mastercard/restapi"
    }
  }
}

variable "base_url" {
  type = string
}

variable "api_token" {
  type      = string
  sensitive = true
}

provider "restapi" {
  uri                  = var.base_url
  create_method        = "GET"
  read_method          = "GET"
  write_returns_object = true
  id_attribute         = "user_group/provided_id"
  headers = {
    Authorization = "Token ${var.api_token}"
    Content-Type  = "application/json"
  }
}

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
