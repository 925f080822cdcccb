import Foundation
import Glibc

/// Polls until a condition is true; returns false after ten minutes, which is more time than any
/// condition needs on a busy machine.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(600)
  repeat {
    if try condition() { return true }
    usleep(5_000)
  } while .now < end
  return false
}

/// The processes that a command started, from `/proc`.
enum Processes {
  /// The running children of a process.
  static func children(of process: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter {
      guard let fields = fields(of: $0) else { return false }
      return fields[0] != "Z" && Int32(fields[1]) == process
    }
  }

  /// Waits until all these processes have ended; false if one still runs after ten minutes.
  ///
  /// A zombie is treated as ended.
  static func haveEnded(_ processes: [Int32]) -> Bool {
    eventually { processes.allSatisfy { fields(of: $0).map { $0[0] == "Z" } ?? true } }
  }

  /// True if each of these processes is running.
  static func areRunning(_ processes: [Int32]) -> Bool {
    processes.allSatisfy { fields(of: $0).map { $0[0] != "Z" } ?? false }
  }

  /// The processor time that a process has used, in seconds; 0 if there is no such process.
  static func seconds(of process: Int32) -> Double {
    let ticks = (fields(of: process) ?? []).dropFirst(11).prefix(2).compactMap { Double($0) }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The process identifiers that a script wrote to a file; empty if there is no such file.
  static func numbers(in file: String) -> [Int32] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
  }

  /// The fields of `/proc/N/stat` after the name: state, parent and so on; nil if there is no such
  /// process.
  private static func fields(of process: Int32) -> [Substring]? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ")
    return fields.flatMap { $0.count > 1 ? $0 : nil }
  }
}
