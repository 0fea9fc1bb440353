// SPDX-License-Identifier: Apache-2.0

/// The rows of a table, as many as `Limits` allow, and one more that takes what has none.
struct BoundedRows<Row>: RandomAccessCollection, MutableCollection {
  private var rows: [Row] = []
  /// The row of the rest, once there is one.
  private(set) var placeOfRest: Int?
  private let most: Int

  init(most: Int) { self.most = most }

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }
  var isFull: Bool { rows.count >= most }

  subscript(place: Int) -> Row {
    get { rows[place] }
    _modify { yield &rows[place] }
  }

  /// Adds a row; answers where it is.
  mutating func append(_ row: Row) -> Int {
    rows.append(row)
    return rows.count - 1
  }

  /// Where the row of the rest is, which is made when it is first asked for.
  mutating func rest(_ make: @autoclosure () -> Row) -> Int {
    if let placeOfRest { return placeOfRest }
    placeOfRest = append(make())
    return rows.count - 1
  }
}
