import Testing

@testable import PhotoBatch

/// The free memory of a machine and its control groups, computed from the contents of the kernel's
/// files in `/proc` and `/sys`.
@Suite struct MemoryBudgetTests {
  private static let machine = "MemTotal:  100 kB\nMemAvailable:   1048576 kB\nSwapFree: 9 kB\n"

  private static func available(_ files: [String: String]) -> Int {
    MemoryBudget.available { path in path == "/proc/meminfo" ? machine : files[path] }
  }

  @Test func theMemoryOfTheMachineIsUsedIfThereAreNoControlGroups() {
    #expect(Self.available([:]) == 1 << 30)
    #expect(Self.available(["/proc/self/cgroup": "0::/\n"]) == 1 << 30)
    #expect(Self.available(["/proc/self/cgroup": "garbage\n::\n"]) == 1 << 30)
  }

  @Test func theFreeMemoryFollowsTheTightestControlGroupOfVersion2() {
    let files = [
      "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
      "/sys/fs/cgroup/a/b/memory.current": "5\n", "/sys/fs/cgroup/a/memory.max": "1000000\n",
      "/sys/fs/cgroup/a/memory.current": "400000\n",
      "/sys/fs/cgroup/a/memory.stat": "anon 1\ninactive_file 100000\nactive_file 7\n",
    ]
    #expect(Self.available(files) == 700_000)
  }

  @Test func theFreeMemoryFollowsTheControlGroupOfVersion1() {
    let files = [
      "/proc/self/cgroup": "9:cpu:/\n4:hugetlb,memory:/job\n0::/\n",
      "/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "2000\n",
      "/sys/fs/cgroup/memory/job/memory.usage_in_bytes": "1500\n",
      "/sys/fs/cgroup/memory/job/memory.stat": "total_inactive_file 100\n",
    ]
    #expect(Self.available(files) == 600)
    // In a container, the path of the group in `/proc` does not exist in `/sys`, where the
    // container's own group is the root.
    let contained = [
      "/proc/self/cgroup": "4:memory:/docker/x\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "3000\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "9000\n",
    ]
    #expect(Self.available(contained) == 0)
  }

  @Test(arguments: [
    ("1", 1), ("512M", 512 << 20), ("2g", 2 << 30), ("1.5G", 3 << 29), ("800MB", 800 << 20),
    ("1GiB", 1 << 30), ("10k", 10 << 10), ("7b", 7),
  ])
  func memorySizesWithUnitsAreParsed(_ text: String, _ bytes: Int) {
    #expect(MemoryBudget.bytes(text) == bytes)
  }

  @Test(arguments: ["", "M", "-1", "0", "1X", "1 G", "1GBB", "1e3", "nan", "99999999T", "1.2.3"])
  func invalidMemorySizesAreRefused(_ text: String) { #expect(MemoryBudget.bytes(text) == nil) }
}
