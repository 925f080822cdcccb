import Glibc
public import SystemPackage

/// The type and the options of the mount that contains a file.
///
/// - Source: proc(5), `/proc/pid/mountinfo` and `/proc/pid/fdinfo`; nfs(5), `local_lock` and
///   `nolock`; mount.cifs(8), `nobrl`; mount.lustre(8), `localflock` and `noflock`.
public struct MountOptions: Sendable, Hashable {
  let type: String
  /// The options of the mount and of the file system.
  let options: Set<String>

  /// The reason why locks on the mount do not exclude other machines.
  public enum Flaw: Sendable, Hashable {
    /// The mount has an option that limits locks to one machine.
    case local(option: String, type: String)
    case userSpace(type: String)
    case unsupported(Errno)
    case ineffective
    /// A process on the machine `host` works on the same shard in spite of the lock.
    case broken(host: String)
  }

  init(type: String, options: Set<String>) {
    self.type = type
    self.options = options
  }

  /// Reads the options from the kernel; nil if the kernel does not provide them.
  init?(of file: OpenFile) {
    let number = file.withDescriptor { $0.rawValue }
    guard let information = Self.text("/proc/self/fdinfo/\(number)"),
      let line = information.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
      let mounts = Self.text("/proc/self/mountinfo")
    else { return nil }
    let id = line.dropFirst("mnt_id:".count).filter { !$0.isWhitespace }
    self.init(id: id, mounts)
  }

  /// Finds a mount by its number in the text of `/proc/self/mountinfo`.
  init?(id: String, _ mounts: String) {
    let found = mounts.split(separator: "\n").compactMap { line -> MountOptions? in
      let words = line.split(separator: " ")
      return words.first.map { $0 == id } ?? false ? MountOptions(words) : nil
    }
    guard let first = found.first else { return nil }
    self = first
  }

  /// Reads the words of a line of `/proc/self/mountinfo`; nil if the line is not complete.
  private init?(_ words: [Substring]) {
    guard let dash = words.firstIndex(of: "-"), words.count > dash + 1, words.count > 5
    else { return nil }
    let further = words.count > dash + 3 ? words[dash + 3] : ""
    let all = words[5].split(separator: ",") + further.split(separator: ",")
    self.init(type: String(words[dash + 1]), options: Set(all.map(String.init)))
  }

  /// The mounts below a folder in the kernel's list, with their paths relative to it, sorted.
  static func below(_ folder: FilePath) -> [(path: FilePath, options: MountOptions)] {
    below(folder, text("/proc/self/mountinfo") ?? "")
  }

  /// The mounts below a folder in the text of `/proc/self/mountinfo`.
  ///
  /// If several file systems are mounted at one path, only the last one is visible, so that one
  /// counts.
  static func below(
    _ folder: FilePath, _ mounts: String
  ) -> [(path: FilePath, options: MountOptions)] {
    var found: [FilePath: MountOptions] = [:]
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let options = MountOptions(words) else { continue }
      var path = MountsBelow.path(words[4])
      if path.removePrefix(folder), !path.isEmpty { found[path] = options }
    }
    return found.sorted { $0.key.string < $1.key.string }.map { ($0.key, $0.value) }
  }

  /// The reason why locks do not exclude other machines; nil if the options show none.
  var flaw: Flaw? {
    if type == "fuse" || type.hasPrefix("fuse.") || type == "fuseblk" {
      return .userSpace(type: type)
    }
    let local: [String] =
      switch type {
      case "nfs", "nfs4": ["local_lock=all", "local_lock=flock", "nolock"]
      case "cifs", "smb3": ["nobrl", "nolock"]
      case "lustre": ["localflock", "noflock"]
      default: []
      }
    return local.first(where: options.contains).map { .local(option: $0, type: type) }
  }

  private static func text(_ path: String) -> String? {
    guard
      let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    else { return nil }
    let file = OpenFile(descriptor, FilePath(path))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? file.read(into: &buffer, at: bytes.count), count > 0 {
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
