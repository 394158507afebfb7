# The REST provider that a user of OpenTofu would pick, and the tenants.
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
