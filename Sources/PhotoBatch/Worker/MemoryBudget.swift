import FoundationEssentials
import Glibc

/// The memory that all processes of a run together may use.
///
/// The free memory of the machine and of the control groups of this process is read from the
/// kernel:
/// - Source: Linux, Documentation/admin-guide/cgroup-v2.rst (`memory.max`, `memory.current`) and
///   cgroup-v1/memory.rst (`memory.limit_in_bytes`, `memory.usage_in_bytes`).
public enum MemoryBudget {
  /// Half of the available memory, in bytes.
  public static var standard: Int {
    available { try? String(contentsOfFile: $0, encoding: .utf8) } / 2
  }

  /// The bytes that this process could still allocate; `read` returns the text of a file.
  static func available(_ read: (String) -> String?) -> Int {
    let machine = field("MemAvailable:", of: read("/proc/meminfo") ?? "") ?? 1 << 20
    let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n")
      .flatMap { left(in: String($0), read) }
    return max(0, groups.reduce(machine << 10, min))
  }

  /// The free bytes of a control group and of the groups that contain it; `line` is a line of
  /// `/proc/self/cgroup`.
  private static func left(in line: String, _ read: (String) -> String?) -> [Int] {
    let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return [] }
    let controllers = parts[1].split(separator: ",")
    if controllers.contains("memory") {
      let group = Group(
        root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes", cache: "total_inactive_file")
      return group.left(below: String(parts[2]), read)
    }
    guard parts[0] == "0", controllers.isEmpty else { return [] }
    let group = Group(
      root: "/sys/fs/cgroup", limit: "memory.max", usage: "memory.current", cache: "inactive_file")
    return group.left(below: String(parts[2]), read)
  }

  /// The names of the files that describe memory in one version of Linux control groups.
  private struct Group {
    let root: String
    let limit: String
    let usage: String
    /// The name, in `memory.stat`, of the amount of file cache that the kernel can drop.
    let cache: String

    /// The free bytes of a group and of all visible groups that contain it.
    func left(below path: String, _ read: (String) -> String?) -> [Int] {
      var names = path.split(separator: "/").map(String.init)
      var found: [Int] = []
      while true {
        let folder = ([root] + names).joined(separator: "/")
        if let limit = number(read("\(folder)/\(limit)")),
          let usage = number(read("\(folder)/\(usage)"))
        {
          let cache = field(cache, of: read("\(folder)/memory.stat") ?? "") ?? 0
          found.append(max(0, limit - max(0, usage - cache)))
        }
        if names.isEmpty { return found }
        names.removeLast()
      }
    }

    /// The number in a file; nil for `max`.
    private func number(_ text: String?) -> Int? {
      text.flatMap { Int($0.prefix(while: \.isNumber)) }
    }
  }

  /// The number after a name, in a text with one name and number per line.
  private static func field(_ name: String, of text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count > 1, words[0] == name { return Int(words[1]) }
    }
    return nil
  }
}

extension MemoryBudget {
  /// The number of bytes that a text such as `512M`, `1.5g`, `800MB` or `1GiB` states.
  ///
  /// A number without a unit is in bytes; K, M, G and T are powers of 1024. Nil for other texts.
  public static func bytes(_ text: String) -> Int? {
    let text = text.lowercased()
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let factors = ["": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
    var unit = text.dropFirst(digits.count)
    if unit.count > 1 {
      unit = unit.hasSuffix("ib") ? unit.dropLast(2) : unit.dropLast(unit.hasSuffix("b") ? 1 : 0)
    }
    guard let number = Double(digits), number > 0, let factor = factors[String(unit)] else {
      return nil
    }
    let bytes = number * Double(factor)
    return bytes < Double(1 << 50) ? Int(bytes) : nil
  }
}
