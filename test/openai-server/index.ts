export { type OpenAiServer, type RecordedRequest, type Script, startOpenAiServer } from './server.ts';
export * from './steps.ts';
