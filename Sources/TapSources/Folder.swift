// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The content of a folder.
public enum Folder {
  /// The names in a folder, unsorted, without hidden files; nil when it is not a folder.
  public static func names(in path: String) throws(InputError) -> [String]? {
    var status = stat()
    guard stat(FileName.system(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return nil
    }
    guard let folder = opendir(FileName.system(path)) else {
      switch errno {
      case EACCES, EPERM: throw InputError(path: path, .notPermitted)
      case let code: throw InputError(path: path, .cannotOpen(code: code))
      }
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        FileName.text(Array(octets.prefix { $0 != 0 }))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
