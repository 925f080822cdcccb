import Glibc
import Notation
import PhotoRecipes
import SystemCalls
import Vips

/// The restrictions of a worker process, as far as this system supports them.
///
/// A worker gets photos, the files to write, and the files of a recipe as open descriptors. The
/// worker can open other files only to read fonts, if texts may be drawn, and to write in its
/// scratch folder. It cannot start programs, open sockets or access other processes.
public struct Sandbox: Sendable, Hashable {
  /// The version of Landlock that restricts access to files; 0 if Landlock is missing.
  public var landlock = 0
  /// True if system calls are filtered.
  public var filtersCalls = false
  public var limitsResources = false
  public var refusesPrivileges = false

  /// The parts of the sandbox that this system does not support.
  public var lacking: [String] {
    [
      landlock > 0 ? nil : "Landlock", filtersCalls ? nil : "seccomp",
      limitsResources ? nil : "resource limits", refusesPrivileges ? nil : "no_new_privs",
    ].compactMap(\.self)
  }

  public var isWhole: Bool { lacking.isEmpty }

  /// Starts libvips, and restricts this process for the rest of its life.
  ///
  /// libvips loads its modules from files, so it starts before access to files is restricted. The
  /// process must have only one thread at the call, because Landlock binds only the calling thread
  /// and the threads that it starts later.
  package static func enter<Failure>(
    _ setup: WorkerSetup, start: () throws(Failure) -> Void
  ) throws(Failure) -> Sandbox {
    var sandbox = Sandbox()
    sandbox.limitsResources = limitResources(setup)
    sandbox.refusesPrivileges = phbatch_refuse_new_privileges() == 0
    unsafe setenv("TMPDIR", setup.scratch, 1)
    try start()
    if guardFiles(setup) { sandbox.landlock = Int(phbatch_landlock_version()) }
    sandbox.filtersCalls = phbatch_refuse_calls() == 0
    return sandbox
  }

  private static func limitResources(_ setup: WorkerSetup) -> Bool {
    // With the signal ignored, a write above the limit fails like a write to a full disk.
    signal(SIGXFSZ, SIG_IGN)
    let limits = [
      (phbatch_limit_address_space, setup.addressSpace),
      (phbatch_limit_cpu_seconds, setup.processorSeconds),
      (phbatch_limit_file_bytes, setup.fileBytes), (phbatch_limit_descriptors, setup.openFiles),
      (phbatch_limit_core_bytes, 0),
    ]
    return limits.allSatisfy { phbatch_lower_limit($0, UInt64($1)) == 0 }
  }

  private static func guardFiles(_ setup: WorkerSetup) -> Bool {
    let rules = phbatch_landlock_create()
    guard rules >= 0 else { return false }
    defer { close(rules) }
    for path in setup.needsFonts ? FontLibrary.places() : [] {
      // The result is ignored, because configured font folders often do not exist.
      _ = unsafe phbatch_landlock_allow(rules, path, 0)
    }
    guard unsafe phbatch_landlock_allow(rules, setup.scratch, 1) == 0 else { return false }
    return phbatch_thread_count() == 1 && phbatch_landlock_enter(rules) == 0
  }
}

extension Sandbox {
  var json: JSON {
    .object([
      "landlock": .integer(landlock), "filtersCalls": .bool(filtersCalls),
      "limitsResources": .bool(limitsResources), "refusesPrivileges": .bool(refusesPrivileges),
    ])
  }

  /// Decodes the restrictions; one that is missing in `json` counts as not in force.
  init(_ json: JSON) {
    landlock = json["landlock"]?.integer ?? 0
    filtersCalls = json["filtersCalls"]?.bool ?? false
    limitsResources = json["limitsResources"]?.bool ?? false
    refusesPrivileges = json["refusesPrivileges"]?.bool ?? false
  }
}

/// The error of `--require-sandbox` on a system that supports only a part of the sandbox.
public struct SandboxMissing: CommandError, Hashable {
  public let message: String
  public var code: ExitCode { .noPermission }
  public let hint =
    "use Linux 5.13 or later with Landlock in its 'lsm' list, or run without --require-sandbox"

  init(_ sandbox: Sandbox) {
    message = "workers cannot be sandboxed: no \(sandbox.lacking.joined(separator: ", no "))"
  }
}
