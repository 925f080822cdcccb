public import ArgumentParser
public import PhotoBatch
public import PhotoLibrary

// The values of these enumerations of PhotoBatch and PhotoLibrary are values of command options.
extension Durability: ExpressibleByArgument {}
extension ExplanationFormat: ExpressibleByArgument {}
extension ForeignPolicy: ExpressibleByArgument {}
extension ModifiedPolicy: ExpressibleByArgument {}
extension PreviousPolicy: ExpressibleByArgument {}
extension Scheduler: ExpressibleByArgument {}
