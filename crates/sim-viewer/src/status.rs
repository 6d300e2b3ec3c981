//! What pages show about a simulation: its status as JSON, and texts to copy or keep.

use std::fmt::Write;

use sim_core::fields::Array;
use sim_core::model::{ENUMS, Options};
use sim_core::{Data, Model};

use crate::change::body_name;
use crate::json::Json;
use crate::session::Session;

/// Parts of the time line.
const PARTS: usize = 100;

/// The status of a session.
pub(crate) fn status(session: &Session) -> String {
    let Session { model, data, opt, pert, .. } = session;
    Json::object(|json| {
        json.member("type", "status").member("paused", session.paused);
        json.member("passive", session.passive).member("speed", session.speed);
        json.member("factor", session.factor).member("cost", session.cost);
        json.member("contacts", data.ncon).member("rows", data.nefc);
        let islands = data.nisland.clamp(1, data.solver_niter.len());
        json.member("iterations", data.solver_niter[..islands].iter().copied().max().unwrap_or(0));
        json.member("energy", data.energy);
        json.member("history", [session.history.place(), session.history.len()]);
        json.member("span", session.history.span());
        let parts: Vec<_> = session.history.parts(PARTS).collect();
        json.member("times", parts.iter().map(|part| part.0 as f32).collect::<Vec<_>>());
        json.member("touching", parts.iter().map(|part| part.1).collect::<Vec<_>>());
        json.member("warned", parts.iter().map(|part| u8::from(part.2)).collect::<Vec<_>>());
        json.member("error", session.error.as_deref().unwrap_or(""));
        let selected = usize::try_from(pert.select).ok().filter(|&b| b > 0 && b < model.nbody);
        json.member("selected", selected.unwrap_or(0)).member("dragging", pert.active);
        json.member("selectedname", selected.map_or(String::new(), |b| body_name(model, b)));
        json.member("tracked", session.tracked.first().map_or(-1, |&body| body as i32));
        json.member("vis", opt.flags).member("label", opt.label).member("frame", opt.frame);
        json.member(
            "groups",
            [
                opt.geomgroup,
                opt.sitegroup,
                opt.jointgroup,
                opt.tendongroup,
                opt.actuatorgroup,
                opt.flexgroup,
                opt.skingroup,
            ],
        );
        json.member("depth", opt.bvh_depth);
        json.member("noise", [session.noise.deviation, session.noise.time]);
        json.member("disableflags", model.opt.disableflags);
        json.member("enableflags", model.opt.enableflags);
        json.nested("options", |json| {
            for field in Options::FIELDS {
                match model.opt.array(field.name) {
                    Some(Array::F64(values)) => json.member(field.name, values),
                    Some(Array::I32(values)) => json.member(field.name, values),
                    _ => json,
                };
            }
        });
        json.list("watch", &session.numbers, |json, (name, index)| {
            json.member("name", name.as_str()).member("index", *index);
        });
        json.list("warnings", warnings(data), |json, (name, count)| {
            json.member("name", name).member("count", count);
        });
    })
}

/// Warnings of the simulation and how often they were raised.
fn warnings(data: &Data) -> impl Iterator<Item = (String, i32)> {
    let info = ENUMS.iter().find(|info| info.name == "mjtWarning");
    let members = info.map_or(&[][..], |info| info.members);
    members.iter().zip(&data.warning).filter(|(_, stat)| stat.number > 0).map(
        |((name, _), stat)| {
            (name.split_once('_').map_or(*name, |(_, tail)| tail).to_lowercase(), stat.number)
        },
    )
}

/// A text for a page to copy or keep.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> String {
    Json::object(|json| {
        json.member("type", kind).member("name", name).member("text", text);
    })
}

/// The state as a keyframe in XML.
pub(crate) fn keyframe(data: &Data) -> String {
    let mut text = String::from("<key");
    let mut attribute = |name: &str, values: &[f64]| {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            let _ = write!(text, " {name}=\"{}\"", values.join(" "));
        }
    };
    attribute("time", &[data.time]);
    attribute("qpos", &data.qpos);
    attribute("qvel", &data.qvel);
    attribute("act", &data.act);
    attribute("ctrl", &data.ctrl);
    attribute("mpos", bytemuck::cast_slice(&data.mocap_pos));
    attribute("mquat", bytemuck::cast_slice(&data.mocap_quat));
    text + "/>\n"
}

/// Keeps the state as a keyframe of the model.
pub(crate) fn set_keyframe(model: &mut Model, data: &Data, key: usize) {
    if key >= model.nkey {
        return;
    }
    let (nq, nv, na, nu, nmocap) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
    model.key_time[key] = data.time;
    model.key_qpos[key * nq..][..nq].copy_from_slice(&data.qpos);
    model.key_qvel[key * nv..][..nv].copy_from_slice(&data.qvel);
    model.key_act[key * na..][..na].copy_from_slice(&data.act);
    model.key_ctrl[key * nu..][..nu].copy_from_slice(&data.ctrl);
    model.key_mpos[key * nmocap..][..nmocap].copy_from_slice(&data.mocap_pos);
    model.key_mquat[key * nmocap..][..nmocap].copy_from_slice(&data.mocap_quat);
}
