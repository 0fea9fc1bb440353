// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <yaml.h>

/// libyaml is loaded when a names file is read. The types are those of its header.
#define TAP_YAML(function)                                                                         \
  function(get_version_string) function(parser_initialize) function(parser_delete)                 \
  function(parser_set_input_string) function(parser_set_encoding) function(parser_load)            \
  function(document_delete)

typedef struct {
#define TAP_YAML_FIELD(name) __typeof__(&yaml_##name) name;
  TAP_YAML(TAP_YAML_FIELD)
#undef TAP_YAML_FIELD
} tap_yaml;

/// Finds every function in the library; returns whether all were found.
static inline int tap_yaml_find(tap_yaml *library, void *handle) {
#define TAP_YAML_FIND(name)                                                                        \
  library->name = (__typeof__(&yaml_##name))dlsym(handle, "yaml_" #name);                          \
  if (!library->name) return 0;
  TAP_YAML(TAP_YAML_FIND)
#undef TAP_YAML_FIND
  return 1;
}
