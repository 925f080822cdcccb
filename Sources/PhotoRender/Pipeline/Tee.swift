import PhotoRecipes
import Vips

/// A large image that several outputs read.
///
/// The rows of the image are passed to all outputs as they are computed, so the image is neither
/// materialized nor computed again.
struct Tee: Sendable, Hashable {
  /// A reader of the rows.
  enum Reader: Sendable, Hashable {
    /// An output, by its index in the pipeline.
    case output(Int)
    /// A call that materializes an image computed from the rows.
    case hold(Int)
  }

  /// The index of the pipeline operation (call) that creates the image.
  let call: Int
  let readers: [Reader]

  /// The minimum size of the image in bytes; a smaller image is materialized instead.
  static let fewestBytes = 4 << 20
}

extension Pipeline {
  var tees: [Tee] { calls.indices.filter { isTee($0) }.map { tee($0) } }

  func isHold(_ call: Int) -> Bool { calls[call].step.operation == .hold }

  func isTee(_ call: Int) -> Bool { calls[call].step.operation == .tee }

  /// Replaces each of the materializing calls `holds` by a tee, if the image is large and its rows
  /// can be passed to all its readers at the same time.
  mutating func share(_ holds: [Int]) {
    for hold in holds where frame(of: hold).bytes >= Tee.fewestBytes && canBeShared(hold) {
      replace(hold, with: .tee)
      roundBeforeSharing(hold)
      if let input = calls[hold].inputs.first, calls[input].step.arguments["planes"] != nil {
        set("shared", .flag(true), of: input)
      }
    }
  }

  /// Makes the kernel that produces a shared image round its samples, if every reader would round
  /// them as its first operation.
  ///
  /// The readers then receive 8-bit or 16-bit samples, a quarter or half of the bytes of floats.
  private mutating func roundBeforeSharing(_ call: Int) {
    func reads(_ reader: Call, _ call: Int) -> Bool { reader.allInputs.contains(call) }
    let readers = calls.indices.filter { reads(calls[$0], call) }
    guard !outputs.contains(where: { $0.call == call }), let input = calls[call].inputs.first,
      calls[input].step.operation.kernel != nil,
      calls.count(where: { reads($0, input) }) == 1,
      let step = readers.first.map({ calls[$0].step }),
      readers.allSatisfy({ calls[$0].step == step && calls[$0].images.isEmpty }),
      case .program(let program, _, _, _) = step.arguments["program"], program.isIdentity,
      case .choice(let name) = step.arguments["format"], let samples = SampleFormat(rawValue: name)
    else { return }
    set("format", .choice(name), of: input)
    for reader in readers { replace(reader, with: .vips(.copy)) }
    var frame = self.frame(of: call)
    frame.sampleBytes = samples.bytes
    note(frame, of: call)
    note(frame, of: input)
  }

  /// The tee of a call, with all outputs and materializing calls that read its rows.
  private func tee(_ call: Int) -> Tee {
    var readers: [Tee.Reader] = []
    var open: Set<Int> = [call]
    // Each call comes after the calls that it reads, so one loop finds all readers.
    for next in calls.indices.dropFirst(call + 1)
    where calls[next].allInputs.contains(where: open.contains) {
      if isHold(next) { readers.append(.hold(next)) } else { open.insert(next) }
    }
    for (number, output) in outputs.enumerated() where open.contains(output.call) {
      readers.append(.output(number))
    }
    return Tee(call: call, readers: readers)
  }

  /// True if the rows of a call's image can be passed to several readers at the same time: no
  /// reader needs the materialized image of another reader, and none of the calls from which the
  /// image is computed is a tee.
  private func canBeShared(_ call: Int) -> Bool {
    let readers = tee(call).readers
    let holds = readers.compactMap { if case .hold(let hold) = $0 { hold } else { nil } }
    return (2...Image.mostReaders).contains(readers.count)
      && !reached(from: call).contains(where: isTee)
      && readers.allSatisfy { reader in
        switch reader {
        case .output(let number): reached(from: outputs[number].call).isDisjoint(with: holds)
        case .hold(let hold): reached(from: hold).isDisjoint(with: holds.filter { $0 != hold })
        }
      }
  }
}
