import PhotoLibrary
import SystemPackage

/// Divides folders into groups, so that linked folders are in the same group.
struct FolderGroups {
  /// The folder that stands for each folder's links; a folder that is missing stands for itself.
  private var heads: [FolderKey: FolderKey] = [:]

  /// Notes that two folders must be in the same group.
  mutating func link(_ one: FolderKey, _ other: FolderKey) {
    let (first, second) = (head(of: one), head(of: other))
    if first != second { heads[first] = second }
  }

  private mutating func head(of key: FolderKey) -> FolderKey {
    var head = key
    while let next = heads[head] { head = next }
    // The way is shortened for the next search.
    var place = key
    while let next = heads[place] {
      if next != head { heads[place] = head }
      place = next
    }
    return head
  }

  /// The folders in groups of at least `least` files, except the last group.
  ///
  /// The folders are given with the numbers of their files, in the order of the result.
  mutating func groups(of folders: [(key: FolderKey, files: Int)], least: Int) -> [[FolderKey]] {
    var numbers: [FolderKey: Int] = [:]
    var linked: [(keys: [FolderKey], files: Int)] = []
    for (key, files) in folders {
      let head = head(of: key)
      let number = numbers[head] ?? linked.count
      if number == linked.count {
        numbers[head] = number
        linked.append(([], 0))
      }
      linked[number].keys.append(key)
      linked[number].files += files
    }
    var groups: [[FolderKey]] = []
    var (group, count) = ([FolderKey](), 0)
    for (keys, files) in linked {
      group += keys
      count += files
      if count < least { continue }
      groups.append(group)
      (group, count) = ([], 0)
    }
    return group.isEmpty ? groups : groups + [group]
  }
}
