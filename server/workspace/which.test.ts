import { describe, expect, it } from 'vitest';
import { whichProjects } from './which.ts';

const project = (id: string, ...called: string[]) => ({ id, called: [...called, id] });
const forge = project('agentforge', 'AgentForge');
const loop = project('agent-loop');
const kane = project('guardiankane', 'Guardian Kane');
const ALL = [forge, loop, kane];
const ids = ALL.map(({ id }) => id);
const which = (question: string, projects = ALL) => whichProjects(question, projects, forge);

describe('which projects a question is about', () => {
  it.each([
    'how did the run go?',
    'why did feature 28 take three attempts?',
    '',
    'which features were slowest?',
    'compare features 1 and 28',
  ])('is the one it is asked in, unless it says otherwise: %s', (question) => {
    expect(which(question)).toEqual(['agentforge']);
  });

  it.each([
    ['what failed in guardiankane?', 'guardiankane'],
    ['How did Guardian Kane go?', 'guardiankane'],
    ['how many attempts did the agent-loop take', 'agent-loop'],
    ['how many attempts did the agent loop take', 'agent-loop'],
    ['compare features 1 and 28 of guardiankane', 'guardiankane'],
    ['is agentforge done?', 'agentforge'],
  ])('can be another one that it names: %s', (question, expected) => {
    expect(which(question)).toEqual([expected]);
  });

  it.each([
    'compare the projects',
    'Compare projects',
    'which project took more attempts?',
    'attempts per project',
    'how do the projects differ?',
    'build time across all projects',
    'how does this compare with the other projects?',
  ])('are all of them: %s', (question) => {
    expect(which(question)).toEqual(ids);
  });

  it.each([
    ['agentforge vs guardiankane', ['agentforge', 'guardiankane']],
    ['guardiankane versus agent-loop', ['agent-loop', 'guardiankane']],
    ['compare with guardiankane', ['agentforge', 'guardiankane']],
    ['was it slower than agent-loop?', ['agentforge', 'agent-loop']],
  ])('are those it sets side by side: %s', (question, expected) => {
    expect(which(question)).toEqual(expected);
  });

  it('are not read out of everyday words', () => {
    const projects = [forge, project('features'), project('the-run')];
    expect(which('which features failed?', projects)).toEqual(['agentforge']);
    expect(which('how did the run go?', projects)).toEqual(['agentforge']);
    expect(which('how did the project features go?', projects)).toEqual(['features']);
    expect(which('what is slow in the features project?', projects)).toEqual(['features']);
  });

  it('prefers the longer of two names', () => {
    const projects = [forge, project('shop'), project('shop-admin')];
    expect(which('what failed in shop admin?', projects)).toEqual(['shop-admin']);
    expect(which('what failed in shop?', projects)).toEqual(['shop']);
    expect(which('shop against shop-admin', projects)).toEqual(['shop', 'shop-admin']);
  });

  it('is the only one where only one is loaded', () => {
    expect(whichProjects('compare the projects', [forge], forge)).toEqual(['agentforge']);
  });
});
