/// The names in a folder at the time of a walk, in four bytes each.
///
/// A folder that is listed again later may have new files, of which the facts that were found in
/// the meantime know nothing.
public struct KnownNames: Sendable {
  /// The hashes of the names, sorted.
  private let hashes: [UInt32]

  public init(_ folder: ListedFolder) {
    let listing = folder.listing
    hashes = listing.entries.map { Self.hash(listing.name(of: $0)) }.sorted()
  }

  /// The folder without the files and folders that are new; a new name is kept with a probability
  /// of one in four thousand million for each known name.
  public func old(in folder: ListedFolder) -> ListedFolder {
    var old = folder
    old.listing.entries.removeAll { !has(Self.hash(folder.listing.name(of: $0))) }
    return old
  }

  private func has(_ hash: UInt32) -> Bool {
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash
  }

  private static func hash(_ name: FileName) -> UInt32 {
    UInt32(truncatingIfNeeded: name.hashValue)
  }
}
