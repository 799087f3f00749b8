// A client that other debug adapters are tested with, @vscode/debugadapter-testsupport, at the adapter that the
// extension for VS Code starts:
// node dap_client.js WARPSTEP FOLDER, where FOLDER holds kernel.wsasm and kernel.yaml. Prints what it sees.
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const { load } = require('./vscode_stub.js');

const [warpstep, folder] = process.argv.slice(2);
const file = path.join(folder, 'kernel.wsasm');
const SIDE_B = 13;

// The client starts `node ARGUMENTS` unless it is told another program.
const adapter = load(warpstep, path.join(folder, 'storage')).factory.createDebugAdapterDescriptor({ configuration: { cwd: folder } });
const client = new DebugClient(adapter.command, adapter.args[0], 'warpstep', adapter.options);
const say = (name, value) => console.log(`${name}: ${JSON.stringify(value)}`);

async function stopped(move) {
    const [event] = await Promise.all([client.waitForEvent('stopped'), move]);
    return event.body;
}

async function main() {
    await client.start();
    await client.hitBreakpoint({ program: 'kernel.yaml', cwd: folder }, { path: file, line: SIDE_B });
    const threadId = (await client.threadsRequest()).body.threads[0].id;
    const frames = (await client.stackTraceRequest({ threadId })).body.stackFrames;
    say('lines', frames.map((frame) => frame.line));
    const scopes = (await client.scopesRequest({ frameId: frames[0].id })).body.scopes;
    say('scopes', scopes.map((scope) => scope.name));
    const registers = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
    const p0 = registers.find((variable) => variable.name === 'P0');
    say('P0', p0.value);
    const page = { variablesReference: p0.variablesReference, filter: 'indexed', start: 22, count: 4 };
    say('lanes', (await client.variablesRequest(page)).body.variables.map((variable) => variable.value));
    say('evaluate', (await client.evaluateRequest({ expression: 'R0[31]', frameId: frames[0].id })).body.result);
    const code = { memoryReference: frames[0].instructionPointerReference, instructionCount: 1 };
    say('code', (await client.disassembleRequest(code)).body.instructions[0].instruction);
    const memory = (await client.customRequest('readMemory', { memoryReference: '0x10000000', count: 8 })).body;
    say('memory', memory.data);
    say('next', (await stopped(client.nextRequest({ threadId }))).description);
    say('back', (await stopped(client.stepBackRequest({ threadId }))).description);
    say('beginning', (await stopped(client.reverseContinueRequest({ threadId }))).reason);
    say('again', (await stopped(client.continueRequest({ threadId }))).reason);
    await client.customRequest('nothing').then(
        () => say('nothing', 'was answered'),
        (error) => say('nothing', error.message));
    const exited = client.waitForEvent('exited');
    const terminated = client.waitForEvent('terminated');
    await client.continueRequest({ threadId });
    say('exit code', (await exited).body.exitCode);
    await terminated;
    await client.stop();
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
