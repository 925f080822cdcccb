import SystemPackage
import Testing

@testable import PhotoLibrary

/// The file systems on which locks exclude other machines, by lines of `/proc/self/mountinfo`.
@Suite struct MountOptionsTests {
  private func flaw(_ type: String, _ options: String) -> MountOptions.Flaw? {
    let mounts = """
      22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      36 22 0:51 /export /srv rw,relatime shared:7 master:2 - \(type) server:/export \(options)
      """
    return MountOptions(id: "36", mounts)?.flaw
  }

  @Test func locksOnLocalAndOrdinaryNetworkFileSystemsAreSafe() {
    #expect(MountOptions(id: "22", "22 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw")?.flaw == nil)
    #expect(flaw("nfs4", "rw,vers=4.2,rsize=1048576,hard,local_lock=none,addr=10.0.0.1") == nil)
    #expect(flaw("nfs", "rw,vers=3,local_lock=none") == nil)
    #expect(flaw("lustre", "rw,flock,lazystatfs") == nil)
    #expect(flaw("cifs", "rw,vers=3.1.1,cache=strict") == nil)
    #expect(flaw("ceph", "rw,name=admin") == nil)
  }

  @Test func mountOptionsThatLimitLocksToOneMachineAreRefused() {
    #expect(flaw("nfs", "rw,vers=3,nolock") == .local(option: "nolock", type: "nfs"))
    #expect(
      flaw("nfs4", "rw,local_lock=all") == .local(option: "local_lock=all", type: "nfs4"))
    #expect(
      flaw("nfs", "rw,local_lock=flock") == .local(option: "local_lock=flock", type: "nfs"))
    // POSIX locks alone may stay on the machine; phbatch does not use them.
    #expect(flaw("nfs", "rw,local_lock=posix") == nil)
    #expect(flaw("cifs", "rw,nobrl") == .local(option: "nobrl", type: "cifs"))
    #expect(flaw("lustre", "rw,localflock") == .local(option: "localflock", type: "lustre"))
  }

  @Test func fileSystemsInUserSpaceAreRefusedForLocks() {
    for type in ["fuse", "fuse.sshfs", "fuse.s3fs", "fuse.rclone", "fuseblk"] {
      #expect(flaw(type, "rw") == .userSpace(type: type))
    }
  }

  /// Shards write to the whole output root, and lock files in its state folder.
  @Test func mountsBelowTheOutputRootAreChecked() {
    func mounts(_ type: String, at point: String, _ options: String = "rw") -> String {
      """
      22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      36 22 0:51 / \(point) rw,relatime shared:7 - \(type) remote \(options)

      """
    }
    func flaws(_ text: String) -> [String: MountOptions.Flaw] {
      let found = MountOptions.below("/srv/my photos", text).compactMap { path, options in
        LockProbe.flaw(of: options, at: path).map { (path.string, $0) }
      }
      return Dictionary(uniqueKeysWithValues: found)
    }
    let fuse = MountOptions.Flaw.userSpace(type: "fuse.sshfs")
    let below = mounts("fuse.sshfs", at: #"/srv/my\040photos/a\134b/c"#)
    #expect(flaws(below) == [#"a\b/c"#: fuse])
    #expect(flaws(below + mounts("ext4", at: #"/srv/my\040photos/a\134b/c"#)) == [:])
    for point in [#"/srv/my\040photos2/a"#, "/srv", "/mnt"] {
      #expect(flaws(mounts("fuse.sshfs", at: point)) == [:], "\(point)")
    }
    let state = #"/srv/my\040photos/.phbatch"#
    #expect(
      flaws(mounts("nfs", at: state, "nolock")) == [
        ".phbatch": .local(option: "nolock", type: "nfs")
      ])
    // The folder has no locks.
    #expect(flaws(mounts("nfs", at: #"/srv/my\040photos/a"#, "nolock")) == [:])
    #expect(flaws("36 22 0:51\n36 22 0:51 / /srv/x rw -") == [:])
  }

  @Test func unreadableMountTablesGiveNoOptions() {
    #expect(MountOptions(id: "36", "") == nil)
    #expect(MountOptions(id: "36", "36 22 0:51\n36 -\n36 22 0:51 / /srv rw -") == nil)
  }

  /// The mount of a real folder is found, and locks in it exclude each other.
  @Test func theLockProbeSucceedsInARealFolder() throws {
    let library = try TemporaryLibrary()
    let root = try OutputRoot.create(library: library.path)
    let options = try #require(MountOptions(of: root.files.root))
    #expect(!options.type.isEmpty && options.options.contains("rw"))
    try LockProbe.check(root)
    #expect(try library.names(in: ".phbatch/shards") == ["probe.lock"])
  }
}
