extension SeededGenerator {
  /// Changes, removes or doubles bytes at one random place.
  public mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &self)
    let end = min(bytes.count, place + Int.random(in: 1...16, using: &self))
    switch Int.random(in: 0..<5, using: &self) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default: bytes[place] = Array("<>&;'\"=/[]0-9".utf8).randomElement(using: &self) ?? 0
    }
  }
}
