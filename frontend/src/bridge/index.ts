/**
 * The only way to Beckon's Go side. It knows Wails, HTTP and WebSockets, and
 * nothing of what is shown.
 */
export { api } from './api';
export { connect, transport } from './connect';
export { cameBack, changeOverAfter, enterDemo, keepCalls, keptCalls, type Back } from './demo';
export { BeckonError, asBeckonError, type Code } from './errors';
export type { Desktop, Listener, Transport } from './transport';
export type * as beckon from './types';
