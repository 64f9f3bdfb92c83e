// SPDX-License-Identifier: GPL-2.0-or-later
// Reads spans and values as JSON from stdin, and writes what OpenTelemetry's SDK
// for JavaScript encodes for them. The argument is the folder of its packages.
const packages = process.argv[2];
const load = name => require(`${packages}/node_modules/@opentelemetry/${name}`);
const {JsonTraceSerializer, JsonMetricsSerializer} = load('otlp-transformer');
const {resourceFromAttributes} = load('resources');
const metrics = load('sdk-metrics');
const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const decode = bytes => JSON.parse(new TextDecoder().decode(bytes));
const time = ns => [Number(BigInt(ns) / 1000000000n),
                    Number(BigInt(ns) % 1000000000n)];

// All spans share one resource: the SDK compares resources by their identity.
const resource = resourceFromAttributes(input.spans[0].resource);

function span(one) {
    const context = id => ({traceId: one.traceId, spanId: id, traceFlags: 1});
    return {
        name: one.name, kind: one.kind - 1,
        spanContext: () => context(one.spanId),
        parentSpanContext: one.parentSpanId && context(one.parentSpanId),
        startTime: time(one.began), endTime: time(one.ended),
        status: one.status, attributes: one.attributes,
        resource,
        instrumentationScope: {name: 'xtrace'},
        links: [], events: [], droppedAttributesCount: 0,
        droppedEventsCount: 0, droppedLinksCount: 0,
    };
}

class Reader extends metrics.MetricReader {
    constructor() {
        super({aggregationSelector: () => ({
            type: metrics.AggregationType.EXPONENTIAL_HISTOGRAM})});
    }
    async onShutdown() {}
    async onForceFlush() {}
}

async function main() {
    const reader = new Reader();
    const provider = new metrics.MeterProvider({
        readers: [reader], resource});
    const histogram = provider.getMeter('xtrace').createHistogram(
        'db.client.operation.duration',
        {unit: 's', description: 'Duration of database client operations.'});
    for (const {value, attributes} of input.values)
        histogram.record(value, attributes);
    const {resourceMetrics} = await reader.collect();
    console.log(JSON.stringify({
        spans: decode(JsonTraceSerializer.serializeRequest(
            input.spans.map(span))),
        metrics: decode(JsonMetricsSerializer.serializeRequest(
            resourceMetrics)),
    }));
}

main();
