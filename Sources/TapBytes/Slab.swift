// SPDX-License-Identifier: Apache-2.0

/// A list of large values that stay in place: it grows in chunks, moves and copies nothing, and
/// checks no uniqueness to lend a value. Copies share the memory: it is for one owner.
@safe public struct Slab<Element>: @unchecked Sendable {
  /// Frees the memory at the end.
  @safe private final class Owner {
    var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    var count = 0

    init() { unsafe chunks = .allocate(capacity: 1) }

    deinit {
      for start in stride(from: 0, to: count, by: chunkSize) {
        let chunk = unsafe chunks[start / chunkSize]
        unsafe chunk.deinitialize(count: Swift.min(chunkSize, count - start))
        unsafe chunk.deallocate()
      }
      unsafe chunks.deallocate()
    }
  }

  private static var chunkSize: Int { 16 }

  private let owner: Owner
  @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  public private(set) var count = 0

  public init() {
    owner = Owner()
    unsafe chunks = owner.chunks
  }

  public var indices: Range<Int> { 0..<count }

  public mutating func append(_ element: consuming Element) {
    let (chunk, place) = (count / Self.chunkSize, count % Self.chunkSize)
    if place == 0 {
      // The list of chunks doubles when its count is a power of two.
      if chunk > 0 && chunk & (chunk - 1) == 0 { moveChunks(chunk) }
      unsafe (chunks + chunk).initialize(to: .allocate(capacity: Self.chunkSize))
    }
    unsafe (chunks[chunk] + place).initialize(to: element)
    count += 1
    owner.count = count
  }

  private mutating func moveChunks(_ number: Int) {
    let more = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: number * 2)
    unsafe more.update(from: chunks, count: number)
    unsafe chunks.deallocate()
    unsafe chunks = more
    unsafe owner.chunks = more
  }

  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < count)
      return unsafe UnsafePointer(chunks[index >> 4] + index & 15)
    }
    @inline(__always) unsafeMutableAddress {
      precondition(index >= 0 && index < count)
      return unsafe chunks[index >> 4] + index & 15
    }
  }
}
