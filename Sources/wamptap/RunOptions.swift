// SPDX-License-Identifier: Apache-2.0

/// The options of a subcommand that a run needs, in the groups that they are parsed in.
struct RunOptions {
  var output: OutputOptions
  var stream: StreamOptions
  var keyLog: KeyLogOptions
  /// Nil where names are not asked for.
  var naming: NamesOptions?
  /// Nil where nothing can be filtered.
  var filtering: FilterOptions?
  var saving: SavingOptions?
  var failing: FailOnOptions?
}
