import Notation
import PhotoRecipes
import PhotoRender

/// Runs an external program for a worker: requests that the coordinator start it, because a worker
/// cannot start programs.
struct CoordinatorRunner: ExternalRunner {
  let channel: Channel

  func run(_ step: External, input: Int32, output: Int32) throws(ExternalFailure) {
    let answer: JSON
    do throws(Channel.Failure) {
      try channel.send(WorkerReply.external(step).json, descriptors: [input, output])
      answer = try channel.receive().message
    } catch {
      throw ExternalFailure("the run was stopped", hint: "run again")
    }
    if let message = answer["failed"]?.string {
      throw ExternalFailure(message, hint: answer["hint"]?.string ?? "")
    }
  }
}

extension Result where Success == Void, Failure == ExternalFailure {
  /// The coordinator's message to the worker after an external program has ended, as JSON.
  var json: JSON {
    switch self {
    case .success: .object(["ended": .bool(true)])
    case .failure(let failure):
      .object(["failed": .string(failure.message), "hint": .string(failure.hint)])
    }
  }
}

extension External {
  var json: JSON {
    .object([
      "command": .array(command.map(JSON.string)), "timeout": .integer(timeout),
      "resizes": .bool(resizes),
    ])
  }

  init?(_ json: JSON) {
    guard let command = json["command"]?.array?.compactMap(\.string),
      let timeout = json["timeout"]?.integer, let resizes = json["resizes"]?.bool
    else { return nil }
    self.init(command: command, timeout: timeout, resizes: resizes)
  }
}
