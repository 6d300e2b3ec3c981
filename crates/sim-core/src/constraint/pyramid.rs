//! Contact forces, and their form on the edges of a pyramid.

use crate::math::{Force, Vec3};
use crate::model::Cone;
use crate::{Data, Model};

/// The force between the geoms of a contact in the frame of the contact: normal and tangential
/// force, torsional and rolling torque. Zero for a contact without constraint rows. Runs after
/// `fwd_constraint`.
#[doc(alias = "mj_contactForce")]
pub fn contact_force(model: &Model, data: &Data, contact: usize) -> Force {
    let mut wrench = [0.0; 6];
    let Some(contact) = data.contact.get(contact) else { return Force::ZERO };
    let Ok(row) = usize::try_from(contact.efc_address) else { return Force::ZERO };
    let rows = data.efc_force.get(row..).unwrap_or_default();
    let dim = contact.dim.clamp(1, 6) as usize;
    if model.opt.cone == Cone::Pyramidal as i32 {
        decode_pyramid(&mut wrench[..dim], rows, &contact.friction[..dim - 1]);
    } else {
        rows.iter().zip(&mut wrench[..dim]).for_each(|(row, force)| *force = *row);
    }
    let [x, y, z, a, b, c] = wrench;
    Force::new(Vec3::new(a, b, c), Vec3::new(x, y, z))
}

/// Computes the force of a contact, normal first, from its parts along the edges of the friction
/// pyramid: `f_n = Σ p`, `f_i = μ_i (p_2i − p_2i+1)`. There are two edges for each friction
/// coefficient; a contact without any has the normal force alone.
#[doc(alias = "mju_decodePyramid")]
pub fn decode_pyramid(force: &mut [f64], pyramid: &[f64], mu: &[f64]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    let edges = if mu.is_empty() { 1 } else { 2 * mu.len() };
    *normal = pyramid.iter().take(edges).sum();
    for ((tangent, edges), mu) in tangents.iter_mut().zip(pyramid.chunks_exact(2)).zip(mu) {
        *tangent = (edges[0] - edges[1]) * mu;
    }
}

/// Computes parts along the edges of the friction pyramid that make up the force of a contact: the
/// normal force is shared evenly between the directions of friction. See [`decode_pyramid`].
#[doc(alias = "mju_encodePyramid")]
pub fn encode_pyramid(pyramid: &mut [f64], force: &[f64], mu: &[f64]) {
    let Some((normal, tangents)) = force.split_first() else { return };
    let share = normal / mu.len() as f64;
    for ((edges, tangent), mu) in pyramid.chunks_exact_mut(2).zip(tangents).zip(mu) {
        let difference = share.min(tangent / mu);
        edges[0] = 0.5 * (share + difference);
        edges[1] = 0.5 * (share - difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Contact;

    #[test]
    fn decoding_undoes_encoding_within_the_pyramid() {
        let mu = [0.8, 0.7, 0.01];
        let decoded = |force: [f64; 4]| {
            let (mut pyramid, mut decoded) = ([0.0; 6], [0.0; 4]);
            encode_pyramid(&mut pyramid, &force, &mu);
            decode_pyramid(&mut decoded, &pyramid, &mu);
            decoded
        };
        let close = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        let inside = [3.0, 0.5, -0.4, 0.005];
        assert!(close(decoded(inside), inside));
        // friction is limited by its share of the normal force
        assert!(close(decoded([3.0, 0.5, -0.4, 0.02]), [3.0, 0.5, -0.4, 0.01]));
    }

    #[test]
    fn forces_of_contacts_come_from_their_rows() {
        let mut model = Model::default();
        let contact = |dim, efc_address| Contact {
            dim,
            efc_address,
            friction: [0.5, 2.0, 0.0, 0.0, 0.0],
            ..Contact::default()
        };
        let mut data = Data { efc_force: vec![9.0, 1.0, 2.0, 3.0, 5.0], ..Data::default() };
        data.contact = vec![contact(3, 1), contact(1, 0), contact(3, -1), contact(6, 4)];
        let lin = |model: &Model, i| contact_force(model, &data, i).lin;

        model.opt.cone = Cone::Pyramidal as i32;
        assert_eq!(lin(&model, 0), Vec3::new(11.0, -0.5, -4.0));
        assert_eq!(lin(&model, 1), Vec3::new(9.0, 0.0, 0.0));
        assert_eq!(lin(&model, 2), Vec3::ZERO);
        assert_eq!(lin(&model, 7), Vec3::ZERO);

        model.opt.cone = Cone::Elliptic as i32;
        assert_eq!(lin(&model, 0), Vec3::new(1.0, 2.0, 3.0));
        // rows that are not there count as zero
        assert_eq!(lin(&model, 3), Vec3::new(5.0, 0.0, 0.0));
    }
}
