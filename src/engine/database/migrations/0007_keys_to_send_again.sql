-- What was refused of an undo, or past the pivot, had its key closed, so that "send it again" sent
-- nothing. These keys are open to a person's word again.
update step_keys
set closed_at = null
from runs
where runs.id = step_keys.run and runs.ended_at is null and step_keys.closed_at is not null
  and exists (
    select from cases
    where cases.run = step_keys.run and cases.step = step_keys.step
      and cases.direction = step_keys.direction
      and cases.problem in ('undo-stuck', 'forward-stuck', 'nothing-to-undo')
      and (cases.state = 'open' or cases.verdict = 'did-not-happen'));
