-- Prints wrk's summary as one line of JSON. Latencies come in microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "faults": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
