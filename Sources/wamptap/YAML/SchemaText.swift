// SPDX-License-Identifier: Apache-2.0
import TapInspector

/// The schemas of the YAML files (JSON Schema, draft 2020-12).
enum SchemaText {
  /// The dialects that take rules of messages, as JSON lists them.
  private static var dialects: String {
    LayerFactory.dialectsWithRules.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  static let names = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Names of wamptap (wamptap.yaml)",
      "type": ["object", "null"],
      "additionalProperties": false,
      "properties": {
        "names": {
          "description": "Names of values in payloads.",
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["field", "values"],
            "properties": {
              "subject": { "$ref": "#/$defs/strings" },
              "field": { "type": "string", "examples": ["args[0].type"] },
              "values": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": { "type": ["string", "number", "boolean"] }
              }
            }
          }
        },
        "messages": {
          "description": "How the JSON of an application is read.",
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "where": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "url": { "type": "string" },
                  "port": { "type": "integer", "minimum": 0, "maximum": 65535 },
                  "subprotocol": { "type": "string" },
                  "dialect": { "enum": [\#(dialects)] }
                }
              },
              "type": { "type": "string" },
              "request": { "type": "string" },
              "answers": { "type": "string" },
              "replies": { "$ref": "#/$defs/strings" },
              "subject": { "type": "string" }
            }
          }
        },
        "mask": { "$ref": "#/$defs/fields" },
        "show": { "$ref": "#/$defs/fields" },
        "filters": {
          "description": "Display filters, used as $name.",
          "type": ["object", "null"],
          "patternProperties": { "^[A-Za-z_][A-Za-z0-9_-]*$": { "type": "string" } },
          "additionalProperties": false
        }
      },
      "$defs": {
        "strings": {
          "oneOf": [
            { "type": ["string", "integer"] },
            { "type": "array", "minItems": 1, "items": { "type": ["string", "integer"] } }
          ]
        },
        "fields": {
          "type": ["array", "null"],
          "items": {
            "oneOf": [
              { "type": "string", "examples": ["**.token"] },
              {
                "type": "object",
                "additionalProperties": false,
                "required": ["fields"],
                "properties": {
                  "subject": { "$ref": "#/$defs/strings" },
                  "fields": { "$ref": "#/$defs/strings" }
                }
              }
            ]
          }
        }
      }
    }

    """#

  static let check = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Expectations of wamptap check (wamptap-check.yaml)",
      "type": ["object", "null"],
      "additionalProperties": false,
      "properties": {
        "version": { "const": 1 },
        "fail-on": { "enum": ["note", "warning", "error", "never"] },
        "expect": {
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "oneOf": [
              { "$ref": "#/$defs/each" }, { "$ref": "#/$defs/count" }, { "$ref": "#/$defs/none" },
              { "$ref": "#/$defs/latency" }, { "$ref": "#/$defs/inOrder" }
            ]
          }
        },
        "ignore": {
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["code", "because"],
            "properties": {
              "code": { "type": "string", "pattern": "^[a-z0-9-]+\\.[a-z0-9-]+$" },
              "where": { "$ref": "#/$defs/filter" },
              "because": { "type": "string", "minLength": 1 },
              "until": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }
            }
          }
        }
      },
      "$defs": {
        "filter": { "type": "string", "minLength": 1, "description": "See wamptap-filter(7)." },
        "name": { "type": "string", "minLength": 1 },
        "per": { "enum": ["session", "connection", "subject", "client"] },
        "count-number": { "type": "integer", "minimum": 0 },
        "time": { "type": "string", "pattern": "^[0-9.]+(ns|us|µs|ms|s|m|h|d)$" },
        "bound": { "type": "string", "pattern": "^(<|<=|>|>=) *[0-9.]+(ns|us|µs|ms|s|m|h|d)$" },
        "each": {
          "additionalProperties": false,
          "required": ["each"],
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "each": { "$ref": "#/$defs/filter" },
            "answered": {
              "oneOf": [
                { "const": true },
                { "type": "string", "pattern": "^within [0-9.]+(ns|us|µs|ms|s|m|h|d)$" }
              ]
            }
          }
        },
        "count": {
          "additionalProperties": false,
          "required": ["count"],
          "anyOf": [
            { "required": ["at-least"] }, { "required": ["at-most"] }, { "required": ["exactly"] }
          ],
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "count": { "$ref": "#/$defs/filter" },
            "at-least": { "$ref": "#/$defs/count-number" },
            "at-most": { "$ref": "#/$defs/count-number" },
            "exactly": { "$ref": "#/$defs/count-number" },
            "per": { "$ref": "#/$defs/per" }
          }
        },
        "none": {
          "additionalProperties": false,
          "required": ["none"],
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "none": { "$ref": "#/$defs/filter" }
          }
        },
        "latency": {
          "additionalProperties": false,
          "required": ["latency"],
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "latency": { "$ref": "#/$defs/filter" },
            "min": { "$ref": "#/$defs/bound" },
            "p50": { "$ref": "#/$defs/bound" },
            "p90": { "$ref": "#/$defs/bound" },
            "p95": { "$ref": "#/$defs/bound" },
            "p99": { "$ref": "#/$defs/bound" },
            "max": { "$ref": "#/$defs/bound" },
            "mean": { "$ref": "#/$defs/bound" },
            "of-at-least": { "$ref": "#/$defs/count-number" }
          }
        },
        "inOrder": {
          "additionalProperties": false,
          "required": ["in-order"],
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "in-order": {
              "type": "array",
              "minItems": 2,
              "maxItems": 32,
              "items": { "$ref": "#/$defs/filter" }
            },
            "within": { "$ref": "#/$defs/time" },
            "per": { "$ref": "#/$defs/per" }
          }
        }
      }
    }

    """#
}
