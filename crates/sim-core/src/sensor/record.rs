/// Values of a sensor that gives several fields, those that it was asked for one after the other.
pub(super) struct Record<'a> {
    fields: i32,
    rest: std::slice::IterMut<'a, f64>,
}

impl<'a> Record<'a> {
    /// Makes a record of the given fields, a bit each, that fills `output`.
    pub(super) fn new(fields: i32, output: &'a mut [f64]) -> Record<'a> {
        Record { fields, rest: output.iter_mut() }
    }

    /// How many values a record has whose fields have the given widths.
    pub(super) fn len(fields: i32, widths: &[usize]) -> usize {
        let wanted = |field: usize| fields & (1 << field) != 0;
        (0..widths.len()).filter(|&field| wanted(field)).map(|field| widths[field]).sum()
    }

    /// Adds a field, if it was asked for. Fields come in increasing order.
    pub(super) fn put(&mut self, field: i32, values: &[f64]) {
        if self.fields & (1 << field) != 0 {
            values.iter().zip(&mut self.rest).for_each(|(value, place)| *place = *value);
        }
    }
}
